/** One thing that `sluice doctor` looked at. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'problem'
  /** What was looked at, in a word or two: "node", "settings", "server github". */
  readonly subject: string
  /** What is the case and, where something is wrong, what to do about it. */
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
