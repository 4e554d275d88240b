const FUNCTION_WORDS = `
a an the of in on at to for from by with as and or nor not no if then than so such but
is are was were be been being am do does did doing done has have had having
it its this that these those there here he she they we i you me him her them us my your his their our
what which who whom whose when where why how much many
can could would should will shall may might must
into about over under up down out off any some all each every other another only also just while
during before after between through against same own too very more most s t re ve ll`

/** Frame a question without content. */
const FRAME_WORDS = `
show tell give find list need want know please name function implementation program write return
following thing called say says mean meaning get look display print explain describe`

/** Little meaning: "took place", "the amount of", "came in first". */
const LIGHT_WORDS = `
take took taken place come came comes go goes went make made makes get got use used uses using happen happened occur occurred
amount kind type sort way thing things keep kept put become became have number total series name names time times first last least`

const words = (list: string) => new Set(list.trim().split(/\s+/))
const functionWords = words(FUNCTION_WORDS)
const frameWords = words(FRAME_WORDS)
const lightWords = words(LIGHT_WORDS)

export const isFunctionWord = (word: string): boolean => functionWords.has(word)
export const isFrameWord = (word: string): boolean => frameWords.has(word)
export const isLightWord = (word: string): boolean => lightWords.has(word)
