/** Of a line, as mails and quoted-printable wrap and quote them. */
const LINE_BREAK = String.raw`[ \u00a0-]?=?\r?\n(?:[ \t]{0,8}>){0,4}[ \t]{0,24}`
/** Between cells of a table. */
export const CELL_BREAK = /[^\S\n]{0,8}(?:[|\t]|<\/t[dh]>\s{0,24}<t[dh][^<>\n]{0,80}>)[^\S\n]{0,8}/
/** Where a number may go on behind. */
export const BREAK = new RegExp(`${LINE_BREAK}|${CELL_BREAK.source}`)
