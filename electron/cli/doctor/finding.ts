/** One result of `sluice doctor`. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'problem'
  /** What was checked, in one or two words: "node", "settings", "server github". */
  readonly subject: string
  /** The state and, if something is wrong, what to do. */
  readonly message: string
}

export const ok = (subject: string, message: string): Finding => ({ status: 'ok', subject, message })
export const warning = (subject: string, message: string): Finding => ({
  status: 'warning',
  subject,
  message,
})
export const problem = (subject: string, message: string): Finding => ({
  status: 'problem',
  subject,
  message,
})
