// Without zod: the page needs this before anything else.

/** Where a page asks for access: GET says how, POST proves that it has it. */
export const ACCESS_PATH = '/access'
/** Of every request of a page that was let in. No browser sends it by itself, and a page of another origin can't. */
export const SESSION_HEADER = 'sluice-session'
/** The path of a one-time link; its code is the parameter `code`. */
export const LINK_PATH = '/open'

/** For a page without access. */
export interface AccessOffer {
  /** To be signed. */
  readonly challenge: string
  /** What prints a link, as it has to be typed on this machine, where that can be said. */
  readonly command?: string
}

/** For a page that proved that it has access. */
export interface AccessGrant {
  /** For SESSION_HEADER. Valid for an hour at most; a page keeps it in its memory only. */
  readonly session: string
}

/** The text that is signed: a signature for one origin is worth nothing at another. */
export const accessWords = (origin: string, challenge: string): string =>
  `Sluice: open the screens\n${origin}\n${challenge}`
