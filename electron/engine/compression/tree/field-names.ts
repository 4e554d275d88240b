/** Identify a record. */
const IDENTITY =
  /^(?:_?id|key|name|title|slug|code|u?uid|guid|number|event|type|object|kind|login|label|username|email|path|sku|status|state|summary|full_?name|node|host|metric|alert)$|(?:_id|Id|_name|Name|_no|_number|_key|_code)$/
/** Of these, shared by many records: they classify. */
const CATEGORY = /^(?:event|type|object|kind|status|state)$/
/** Links, hashes, internal handles: long, and only relevant when named. */
const MACHINERY =
  /(?:_url$|Url$|^url$|^href$|^gravatar_id$|^node_id$|^avatar|_links$|^etag$|^sha$|^signature$|^verification$)/
/** Numbers that are names: their order is meaningless. */
const NAMING = /(?:^|_)id$|Id$|zip|phone|postal/i
/** A record's common name. */
const TITLE = /^(?:title|name|label|subject|headline|full_?name|topic|event)$/i

export const namesRecord = (field: string): boolean => IDENTITY.test(field)
export const isCategory = (field: string): boolean => CATEGORY.test(field)
export const isMachinery = (field: string): boolean => MACHINERY.test(field)
export const isNamingNumber = (field: string): boolean => NAMING.test(field)
export const isTitle = (field: string): boolean => TITLE.test(field)
