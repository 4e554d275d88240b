import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { foldText } from './fold-text.ts'
import { textsIn } from './texts-in.ts'

const SECRET = new RegExp(
  [
    String.raw`\b(?:pass ?words?|passwd|pwd|pass ?phrases?|pass ?codes?|credentials?|log ?in data|secret (?:key|token|answer)s?|client secrets?)\b`,
    String.raw`\b(?:api|access|auth|authori[sz]ation|bearer|session|refresh|private|signing|encryption|deploy|license)[ -]?(?:key|token|cookie)s?\b`,
    String.raw`\b(?:seed|recovery|mnemonic|backup)[ -]?(?:phrases?|words?|codes?)\b|\bmnemonic\b|\bwallet key\b`,
    String.raw`\b(?:credit|debit|bank|payment)[ -]?cards?\b|\bcard (?:number|no)\b|\b(?:cvv|cvc|cvv2|cvc2)\b|\bsecurity code\b`,
    String.raw`\bpin(?:[ -]?(?:code|number)| of your)\b|\b(?:otp|2fa|mfa|totp|tan)\b|\b(?:one[ -]?time|verification|sms|two[ -]?factor)[ -]?(?:code|password|passcode|token)s?\b`,
    String.raw`\bsocial security number\b|\bssn\b`,
    // German, French, Spanish, Portuguese, Italian, Dutch, Scandinavian, Polish, Turkish.
    String.raw`\b(?:passwort|kennwort|zugangsdaten|geheimzahl|kreditkarte\w*|kartennummer|schlüsselwort|prüfziffer)\b`,
    String.raw`\b(?:mots? de passe|identifiants?|carte (?:de crédit|bancaire)|code secret|phrase de récupération)\b`,
    String.raw`\b(?:contraseñas?|clave (?:secreta|de acceso)|tarjeta de crédito|senhas?|palavra[ -]passe|cartão de crédito|frase semilla)\b`,
    /\b(?:parola d['’ ]ordine|credenziali|carta di credito|wachtwoord(?:en)?|inloggegevens|creditcard\w*)\b/
      .source,
    /\b(?:lösenord|passord|adgangskode|kodeord|kreditkort\w*|salasana|hasło|hasła|karty kredytowej|şifre\w*|parola|kredi kart\w*)(?![\p{L}])/u
      .source,
    // Russian and Ukrainian, Chinese, Japanese, Korean, Arabic, Hindi.
    'парол[ьяюи]|учетные данные|кредитной карты|密码|密碼|口令|信用卡|助记词|パスワード|暗証番号|クレジットカード|비밀번호|신용카드|كلمة (?:المرور|السر)|पासवर्ड',
  ].join('|'),
  'iu',
)
/** As a whole field name these ask for a secret; in sentences they mean other things. */
const SECRET_FIELD =
  /^(?:pin|token|secret|key|pass|auth|tan|code|iban|mnemonic|seed|apikey|accesstoken|privatekey)$/i

/** "apiKey", "api_key" and "API-KEY" as words. */
const asWords = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .trim()

const fold = (text: string): string => {
  const plain = text.normalize('NFKC')
  return foldText(plain)?.text ?? plain
}
/** Folded, so that look-alikes and missing accents hide nothing. */
const FOLDED_SECRET = new RegExp(fold(SECRET.source), 'iu')
const SPACED = /(?<![\p{L}\p{N}])(?:\p{L}[\s._-]){2,}\p{L}(?![\p{L}\p{N}])/gu
const joined = (text: string): string => text.replace(SPACED, (run) => run.replace(/[\s._-]/g, ''))

export function asksForSecret(params: JsonObject): boolean {
  const { message, requestedSchema, url } = params
  const properties = isJsonObject(requestedSchema) ? requestedSchema['properties'] : undefined
  const fields = Object.entries(isJsonObject(properties) ? properties : {})
  const typed = fields.filter(([, field]) => takesText(field))
  // Checkboxes and choices hold no secret, but their texts may ask for one.
  if (fields.some(([, field]) => choicesOf(field).some(isSecret))) return true
  if (typeof url !== 'string' && typed.length === 0) return false
  const words = [message, params['title'], params['description']]
  if (isJsonObject(requestedSchema)) words.push(...textsIn(requestedSchema).map(({ text }) => text))
  if (words.some(isSecret)) return true
  return typed.some(([name, field]) => {
    if (isSecretField(name)) return true
    return isJsonObject(field) && (field['format'] === 'password' || isSecretField(field['title']))
  })
}

const CHOICES = ['enum', 'enumNames', 'const', 'oneOf', 'anyOf', 'items']

const choicesOf = (field: unknown): string[] =>
  isJsonObject(field) ? CHOICES.flatMap((key) => textsIn(field[key]).map(({ text }) => text)) : []

function isSecret(words: unknown): boolean {
  if (typeof words !== 'string') return false
  const folded = fold(words)
  return SECRET.test(words) || FOLDED_SECRET.test(folded) || FOLDED_SECRET.test(joined(folded))
}

function isSecretField(name: unknown): boolean {
  if (typeof name !== 'string') return false
  return SECRET_FIELD.test(joined(fold(name))) || isSecret(asWords(fold(name))) || isSecret(asWords(name))
}

function takesText(field: unknown): boolean {
  if (!isJsonObject(field)) return true
  if (field['type'] === 'boolean' || field['type'] === 'array') return false
  return !('enum' in field || 'oneOf' in field || 'anyOf' in field || 'const' in field)
}

const WANTS_ALL =
  /\b(?:repeat|print|output|return|copy|quote|list|reproduce|dump|send|give|write(?: out| down)?|include|reveal|show|disclose|transcribe|forward)\b[^.!?\n]{0,60}\b(?:whole|entire|full|complete|all|every|everything|verbatim|word for word|exact)\b[^.!?\n]{0,60}\b(?:conversations?|chat(?: history| log)?|transcript|(?:previous|earlier|other) messages|system prompt|secrets|passwords|api keys|private keys|access tokens|credentials)\b/i
const WANTS_SECRETS =
  /\b(?:repeat|print|output|return|copy|quote|list|reproduce|dump|send|give|write(?: out| down)?|include|reveal|show|disclose|forward)\b[^.!?\n]{0,40}\b(?:user'?s?|your|their|any)\b[^.!?\n]{0,30}\b(?:secrets?|passwords?|api keys?|access tokens?|private keys?|credentials?|seed phrase)\b/i

export const wantsConversationOrSecrets = (texts: readonly { readonly text: string }[]): boolean =>
  texts.some(({ text }) => WANTS_ALL.test(text) || WANTS_SECRETS.test(text))
