/** Also common words: count only capitalised. */
const ENGLISH =
  /^(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|way|court|ct|square|sq|terrace|place|pl|highway|hwy|parkway|pkwy|crescent|close|row|trail|circle|loop|alley|grove|hill|mews|walk)$/i
const FOREIGN =
  /^(?:rue|allée|quai|chemin|impasse|via|viale|corso|piazza|piazzetta|strada|vicolo|rua|rúa|avenida|travessa|praça|largo|calle|carrera|plaza|paseo|camino|straße|strasse|platz|allee|ulica|aleja|plac|utca|út|útja|tér|straat|laan|plein|weg|katu|tie|gata|gade|vej|vägen|veien|ulice|náměstí|třída|ulitsa|prospekt|leoforos|odos|tänav|tee|iela|gatvė)$/i
/** "Street" in Hungarian and Polish, before a full stop. */
const SHORT = /^(?:u|ul)$/

/** In many languages. */
export const isStreetWord = (word: string): boolean =>
  FOREIGN.test(word) || SHORT.test(word) || (/^\p{Lu}/u.test(word) && ENGLISH.test(word))
export const STREET_ENDING =
  /\p{L}{2,}(?:stra(?:ß|ss)e|gasse|weg|platz|allee|damm|ring|straat|laan|plein|gracht|gatan|gata|vägen|väg|gränd|vej|gade|veien|vegen|katu|tie|kuja|polku|utca|street|vegur|stígur|stræti)$/iu
/** Before a number or letter. */
export const UNIT_WORD =
  /^(?:apt|apartment|suite|ste|unit|flat|floor|fl|room|rm|box|postbox|bldg|building|po|psc|cmr)\.?$/i
/** Within names of streets and towns. */
export const CONNECTING =
  /^(?:de|del|della|dei|degli|di|da|do|dos|das|du|des|la|las|le|les|los|el|al|van|von|der|den|het|ten|ter|of|the|upon|and|y|e|na|nad|pod|am|an|im|in|bei|sur|sous|u|ul|p)\.?$/iu
/** Precede an address. */
export const ADDRESS_CUE =
  /(?:address(?:es)?(?:\p{L}* (?:\w+ ){0,3}(?:is|to|was))?:?|liv(?:es?|ed|ing) (?:at|on|in)|(?:is|are|was|were) (?:located|situated) (?:at|on|in)|meet(?: \w+)? at|return(?: it| this)? to|resid(?:es?|ed|ing) (?:at|on|in)|moved to|corner of|(?:deliver|ship|send|mail)(?:ed|s)?(?: \w+)? to|sent to|visit us at|directions to|stop (?:at|on)|enter (?:at|on|from)|drops? \w+ off at|headquarters (?:is|are) (?:at|in)|offices? (?:is|are) (?:at|in|on)|\baddr|to the same)[\s:]*(?:user: ?|the corner of )?$/iu
