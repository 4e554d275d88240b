// Without zod: the page loads this first.

/** GET explains, POST proves. */
export const ACCESS_PATH = '/access'
/** In every request of an admitted page. Browsers don't send it by themselves, and other origins can't. */
export const SESSION_HEADER = 'sluice-session'
/** Single-use link with the parameter `code`. */
export const LINK_PATH = '/open'

export interface AccessOffer {
  /** To be signed. */
  readonly challenge: string
  /** Prints a link, if known. */
  readonly command?: string
}

export interface AccessGrant {
  /** For SESSION_HEADER. Valid at most an hour; kept in memory only. */
  readonly session: string
}

/** Bound to one origin. */
export const accessWords = (origin: string, challenge: string): string =>
  `Sluice: open the screens\n${origin}\n${challenge}`
