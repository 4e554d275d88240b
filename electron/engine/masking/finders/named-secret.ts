/** The word for it in several languages. */
export const PASSWORD =
  /passw(?:or)?[dt]|passphrase|pwd|kennwort|mot[ _-]?de[ _-]?passe|mdp|contrase(?:ñ|n)a|senha|palavra[ -]passe|parola|wachtwoord|hasło|l[öo]senord|adgangskode|salasana|heslo|kata[ _-]sandi|jelszó|şifre|mật khẩu|пароль|密[码碼]|口令|パスワード|비밀번호|كلمة (?:السر|المرور)|पासवर्ड/
    .source

/** What a whole key or header says of its value. */
export type NamedSecret = 'password' | 'secret' | 'key' | 'code' | 'card code'

/** Signs of other scripts are escaped: a raw template is built as it is, and makes its file two bytes a character. */
const END = String.raw`s?[\s:\uff1a*#()]*(?:\d{1,3})?$`
/** Of a deed, a rule or a question: what follows is none. */
const NO_NAME =
  /(?<!\p{L})(?:forgot|forget|reset|changed?|update|show|hide|check|verify|requires?|has|is|no|use|enable|allow|invalid|wrong|missing|weak|min|max|without|lost) (?:\p{L}{1,12} )?$/iu
const KINDS: readonly (readonly [NamedSecret, RegExp])[] = [
  [
    'card code',
    new RegExp(
      String.raw`(?<!\p{L})(?:cvv|cvc|csc|card (?:verification|security) (?:code|value))\d?${END}`,
      'iu',
    ),
  ],
  [
    'code',
    new RegExp(
      String.raw`(?<!\p{L})(?:pin|puk|otp|mpin)(?:[ _-]?(?:codes?|number|nummer|no|nr))?${END}|(?:\u6697\u8a3c\u756a\u53f7|\u30d4\u30f3|(?<!\p{L})\u043f\u0438\u043d(?:[ -]?\u043a\u043e\u0434)?|code pin)${END}`,
      'iu',
    ),
  ],
  ['password', new RegExp(String.raw`(?:(?<!\p{L})pass|pass ?(?:code|phrase|wd)|${PASSWORD})${END}`, 'iu')],
  [
    'key',
    new RegExp(
      String.raw`(?:(?:api|access|account|private|secret|auth|encryption|signing) ?key|(?:access|auth|api|bearer|refresh|session|secret|security) ?token)${END}`,
      'iu',
    ),
  ],
  [
    'secret',
    new RegExp(
      String.raw`(?:(?<!\p{L})|client|app|api|shared|jwt)(?:secret|geheimnis|segredo|secreto|\u0441\u0435\u043a\u0440\u0435\u0442)${END}`,
      'iu',
    ),
  ],
]
/** Most keys have none of these. */
const MAY_NAME = new RegExp(
  String.raw`pass|pin|puk|otp|cvv|cvc|csc|card|secret|key|token|gehei|segredo|\u0441\u0435\u043a\u0440\u0435\u0442|\u6697\u8a3c|\u30d4\u30f3|\u043f\u0438\u043d|${PASSWORD}`,
  'i',
)
const LONGEST_NAME = 40

/** Written in words, as "client secret" and "user Password". */
export function secretNamedBy(label: string): NamedSecret | undefined {
  if (label.length > LONGEST_NAME || !MAY_NAME.test(label)) return undefined
  for (const [kind, pattern] of KINDS) {
    const found = pattern.exec(label)
    if (found) return NO_NAME.test(label.slice(0, found.index)) ? undefined : kind
  }
  return undefined
}

/** Types, states, and that a value is needed, in several languages. */
const NO_VALUE = new Set(
  `string str text varchar char int integer number numeric float bool boolean object array any unknown null none nil nan undefined
  optional required mandatory needed true false yes no on off empty blank missing unset set not n/a na tbd todo hidden visible masked redacted
  removed filtered secret key token plain plaintext bcrypt scrypt argon2 md5 sha sha1 sha256 encrypted hashed invalid valid wrong incorrect weak
  strong medium expired default never always disabled enabled changeme bearer basic bytes secretstr optional[str] password passwd auto generated
  random ask prompt env file vault input field label ok failed error same unchanged new old current
  erforderlich pflichtfeld optional ja nein leer gesetzt verborgen falsch ungültig unbekannt zeichenkette keine keins
  requis requise obligatoire facultatif facultative oui non vide chaîne masqué aucun
  requerido requerida obligatorio obligatoria opcional sí si vacío cadena ninguna ninguno oculto incorrecta
  obrigatório obrigatória sim não vazio nenhuma oculta incorreta
  richiesto richiesta obbligatorio obbligatoria facoltativo facoltativa vuoto stringa nessuna errata
  wymagane wymagany opcjonalne tak nie puste brak błędne
  обязателен обязательно обязательный обязательное необязательно да нет строка пусто отсутствует
  verplicht nee optioneel zorunlu evet hayır obligatorisk påkrævet vaadittu povinné`.split(/\s+/),
)
/** Written as a word is: all small, all capital, or with a capital first. "taK" is no "tak". */
const AS_A_WORD = /^(?:\P{Lu}*|\P{Ll}*|\p{Lu}.*)$/u
const MASKED =
  /^(?:[*•●·._–—-]+|\$.*|%.*|[<[({].*[>\])}]|\{\{.*|!\w+.*|your.*|example.*|redacted.*|process\.env.*|enc[:([].*)$/i
const ONE_SIGN = /^(.)\1+$/u
const CROSSES = /^(?:[x*•_.-]+|[X*•_.-]+)$/
const PATH = /^(?:[.~]{0,2}\/|[a-z]:\\|https?:|file:|\w+:\/\/)/i
const VERSION = /^[~^<>=v]*\d+(?:\.\d+){1,3}(?:-[\w.]+)?$/
const ADDRESS = /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i
const SECRET_WORD = new RegExp(`secret|token|credential|${PASSWORD}`, 'i')
const LATIN = /[A-Za-zÀ-ɏ\d]/
/** Names of secrets that are kept elsewhere: "db-creds", "DB_PASSWORD". */
const REFERENCE = /^(?:[a-z]+(?:[-_./][a-z]+)+|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|[\w.]+\(.*)$/
const SHORTEST = 3
const LONGEST = 4000

/** Whether the whole value of a key or cell is what its name says. */
export function isSecretValue(kind: NamedSecret, value: string): boolean {
  if (value.length < SHORTEST || value.length > LONGEST || /\s/.test(value)) return false
  if (kind === 'code') return /^\d{4,8}$/.test(value)
  if (kind === 'card code') return /^\d{3,4}$/.test(value)
  if ((AS_A_WORD.test(value) && NO_VALUE.has(value.toLowerCase())) || isHidden(value)) return false
  if (PATH.test(value) || VERSION.test(value) || ADDRESS.test(value) || !LATIN.test(value)) return false
  const hasDigit = /\d/.test(value)
  if (!hasDigit && SECRET_WORD.test(value) && (REFERENCE.test(value) || isSecretWord(value))) return false
  if (kind === 'password') return !/^\d{1,3}$/.test(value)
  if (REFERENCE.test(value) || /^\d+(?:\.\d+)?$/.test(value)) return false
  return (
    kind === 'secret' ||
    (value.length >= 6 &&
      (hasDigit ? /[a-z]/i.test(value) : /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(value) && value.length >= 12))
  )
}

/** "***", "xxx", "<redacted>" */
const isHidden = (value: string): boolean => MASKED.test(value) || CROSSES.test(value) || ONE_SIGN.test(value)

/** "Password", "secrets" */
const isSecretWord = (value: string): boolean => {
  const found = SECRET_WORD.exec(value)
  return found?.index === 0 && value.length - found[0].length < 2
}
