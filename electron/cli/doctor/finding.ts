export interface Finding {
  readonly status: 'ok' | 'warning' | 'problem'
  readonly subject: string
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
