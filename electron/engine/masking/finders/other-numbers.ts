/** What numbers of goods and of business are called. */
const GOODS =
  /sku|upc|ean|gtin|isbn|issn|asin|mpn|parts?|items?|article|art(?:ikel|[ií]culo)?|orders?|bestell(?:ung)?|auftrag|invoice|rechnung(?:s)?|tickets?|case|serial|tracking|shipment|sendung|model|product|catalog(?:ue)?|commande|facture|pedido|factura|fattura|ordine|zam[óo]wienie|заказ|счет|订单|訂單|注文|주문|sipariş|ürün/
    .source
/** What programs number. */
const TECHNICAL =
  /id|uid|uuid|guid|request|trace|span|transaction|session|message|event|job|task|build|offset|inode|ports?|pid|timestamp|time|ts|hash|nonce|seq(?:uence)?/
    .source
const LEADING =
  /(?:[\s_.-]{0,2}(?:number|num|no|nr|nummer|nº|n°|id|code|ref(?:erence)?))?[\s"'#:：=.>([\]-]{0,5}$/.source

const AFTER_GOODS = new RegExp(`(?<![\\p{L}])(?:${GOODS})${LEADING}`, 'iu')
const AFTER_ANY = new RegExp(`(?<![\\p{L}])(?:${GOODS}|${TECHNICAL})${LEADING}`, 'iu')
const REACH = 40

const before = (text: string, start: number): string => text.slice(Math.max(0, start - REACH), start)

/** "SKU 123-45-6789", "order no. 555-123-4567" */
export const isNumberOfGoods = (text: string, start: number): boolean => AFTER_GOODS.test(before(text, start))

/** "request_id=4111111111111111", too. */
export const isOtherNumber = (text: string, start: number): boolean => AFTER_ANY.test(before(text, start))

const VERSIONS =
  /versi[oó]n(?:s|es)?|versão|versões|wersj[aie]|верси[яи]|sürüm|版本|バージョン|버전|ver|(?:firm|soft)ware|fw|releases?|builds?|installed|available|candidate|latest|wanted|driver/
    .source
const OTHER_HEADER = new RegExp(`(?<![\\p{L}])(?:${GOODS}|${VERSIONS})(?![a-z])${LEADING}`, 'iu')
/** Whether a column of goods' numbers or versions is headed so. */
export const headsOtherNumbers = (header: string): boolean => OTHER_HEADER.test(header)
