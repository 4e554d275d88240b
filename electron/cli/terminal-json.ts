import { INVISIBLE } from '../engine/guardrails/invisible-characters.ts'

const HIDDEN = new RegExp(`[\\x7f-\\x9f]|${INVISIBLE.source}`, 'g')

/** Escapes a server's invisible characters. */
export const terminalJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(HIDDEN, (hidden) =>
    Array.from({ length: hidden.length }, (_, index) => {
      return `\\u${hidden.charCodeAt(index).toString(16).padStart(4, '0')}`
    }).join(''),
  )
