export interface ParentProcess {
  /** POSIX: changes when the parent dies. */
  pid(): number
  /** For Windows, which keeps a dead parent's id. */
  isAlive(pid: number): boolean
}

/** Once; Windows and some launchers give no other sign. Returns the stop. */
export function watchParent(parent: ParentProcess, intervalMs: number, onGone: () => void): () => void {
  const first = parent.pid()
  const timer = setInterval(() => {
    if (parent.pid() === first && parent.isAlive(first)) return
    clearInterval(timer)
    onGone()
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

export const processParent: ParentProcess = {
  pid: () => process.ppid,
  isAlive: (pid) => {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      // EPERM: it runs as another user.
      return error instanceof Error && 'code' in error && error.code === 'EPERM'
    }
  },
}
