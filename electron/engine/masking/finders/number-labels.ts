import { labelIndex, type FoundLabel, type LabelIndex } from './label-index.ts'
import type { NationalId } from './national-id-checks.ts'

const list = (...parts: readonly string[]): string => parts.join('|')

/** Told by its name alone. */
export type NamedNumber = 'driver_license' | 'iban' | 'national_id' | 'passport'

/** Labels that alone prove that a person's number follows. Syntax: label-phrases.ts. */
const ALONE: readonly (readonly [NamedNumber, string])[] = [
  [
    'national_id',
    list(
      '*versicherungs #|*versicherten #|*steuer #|*steueridentifikations #|*steuer ident #|*ausweis #|patienten #|*krankenkassen #',
      "N (de )?(la )?sécurité sociale|sécurité sociale|N (de )?sécu|N (d['’]? ?)?identité|N (de )?carte (d['’]? ?)?identité|carte vitale|N fiscal|N (de )?carte vitale",
      'N (de )?(la )?seguridad social|N (de )?afiliación|nuss|cédula( de)?( identidad| ciudadanía)|cédula #|N (de )?(cédula|identificación|identificación fiscal|documento)',
      'N (de )?segurança social|N (de )?(contribuinte|utente|identificação fiscal)|niss|cartão (de )?cidadão|carteira (de )?(identidade|trabalho)|título (de )?eleitor',
      "N (di )?previdenza sociale|N (della |di )?tessera sanitaria|tessera sanitaria|N (della |di )?carta (di |d['’]? ?)?identità|carta (di |d['’]? ?)?identità|N (di )?documento",
      'N dowodu( osobistego)?|N pesel|N ubezpieczenia( społecznego)?|N legitymacji|dowód osobisty',
      'снилс|snils|инн|N снилс|N инн|N полиса( омс)?|N страхового (полиса|свидетельства)|N удостоверения( личности)?|полис омс',
      '基礎年金番号|年金番号|健康保険証?(の)?番号|被保険者番号|保険者番号|在留カード番号|住民票コード|社会保険番号|保険証番号',
      '社保号码?|社会保障号码?|주민등록번호|건강보험번호',
      'identiteitskaart #|verzekerings #|rijksregister #|vatandaşlık~no',
      'social~insurance #|health insurance #|national~(id|identity|identification)( card)?( #)?|id card #|identity card #|tax(payer)?~id(entification)?( #)?|medical record #',
    ),
  ],
  [
    'iban',
    list(
      '*konto #|rekening #|hesap~(no|numarası)|bank account #|account~number|accountnumber|acct~#|acctid|routing~number',
      'N (de |du )?compte( bancaire)?|N (de )?(la )?cuenta( bancaria| corriente)?|N (d[ae] )?conta( bancária| corrente)?|N (di |del )?conto( corrente| bancario)?',
      'N konta( bankowego)?|N rachunku( bankowego)?|N (банковского )?счёта|расчётный счёт|лицевой счёт',
      '口座番号|银行卡号|银行账号|银行帐号|계좌번호',
    ),
  ],
  [
    'driver_license',
    list(
      '*führerschein #|rijbewijs #|körkorts #|N (du |de )?permis( de conduire)?|permis (de )?conduire',
      'N (del |de )?(permiso|carnet|licencia) (de )?conducir|(permiso|carnet|licencia) (de )?conducir',
      'carteira (de )?motorista|N (da )?cnh|cnh|N (da )?carta de condução|N (della |di )?patente( di guida)?|patente (di )?guida|N prawa jazdy|prawo jazdy',
      'N водительского удостоверения|водительское удостоверение|運転免許証?(の)?番号|免許証番号|驾驶证号码?|驾照号码?|운전면허번호',
    ),
  ],
  [
    'passport',
    '*reisepass #|N (du |de |del |do |di )?(passeport|pasaporte|passaporte|passaporto|paszportu|паспорта)|паспорт серия|паспорт',
  ],
]

/** The words for it, and whose numbers follow them. Written as label-phrases.ts says. */
const CHECKED: readonly (readonly [readonly NationalId[], string])[] = [
  [['gb'], 'national~insurance|nino|ni~(number|no)|nhs'],
  [['es', 'pt'], 'nif'],
  [['es'], 'dni|nie'],
  [['fr'], 'nir|numéro de sécurité sociale|sécurité sociale|sécu'],
  [
    ['de'],
    'steuer id( ?entifikationsnummer|nr)?|steueridentifikationsnummer|idnr|personalausweis(nummer|nr)?|ausweisnummer',
  ],
  [['pl'], 'pesel'],
  [['nl'], 'bsn|burgerservicenummer|sofinummer'],
  [['no'], 'fødselsnummer'],
  [['no', 'se'], 'personnummer'],
  [['dk'], 'cpr( nummer| nr)?'],
  [['at'], 'sozialversicherungsnummer|svnr|sv~nummer'],
  [['pt'], 'contribuinte'],
  [['br'], 'cpf'],
  [['in'], 'aadhaar|aadhar|uidai|आधार'],
  [['jp'], 'my~number|マイナンバー|個人番号'],
  [['au'], 'tfn|tax~file~number|medicare'],
  [['ca'], 'sin|social~insurance'],
  [['tr'], 't.c. kimlik|kimlik~n|tckn'],
  [['za'], 'sa~id|south~african~id|rsa~id'],
  [['it'], 'codice fiscale'],
  [['cn'], '身份证|身份證'],
  [['ch'], 'ahv|avs'],
  [['be'], 'rijksregister|registre national'],
  [['kr'], '주민등록번호'],
]

export type NumberName = NamedNumber | readonly NationalId[]

/** Built with the first use: each thread would spend tens of milliseconds on it at its start. */
let labels: LabelIndex<NumberName> | undefined

export const numberLabelsIn = (text: string): FoundLabel<NumberName>[] =>
  (labels ??= labelIndex<NumberName>([...CHECKED, ...ALONE])).find(text)
