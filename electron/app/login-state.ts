export interface LoginFacts {
  readonly openAtLogin: boolean
  /** macOS 13 and later. */
  readonly status?: string
  /** Windows. */
  readonly executableWillLaunchAtLogin?: boolean
}

export interface LoginState {
  readonly isOn: boolean
  /** Why it won't start although it is chosen, and what to do. */
  readonly remark?: string
}

/** The system's user may have to allow, or may have forbidden, what the app asked for. */
export function loginState(platform: NodeJS.Platform, facts: LoginFacts): LoginState {
  if (platform === 'darwin' && facts.status === 'requires-approval')
    return {
      isOn: true,
      remark: 'macOS waits for your approval: System Settings → General → Login Items, and allow Sluice.',
    }
  if (platform === 'win32' && facts.openAtLogin && facts.executableWillLaunchAtLogin === false)
    return {
      isOn: true,
      remark: 'Windows has switched it off: Task Manager → Startup apps, and enable Sluice.',
    }
  return { isOn: facts.openAtLogin }
}
