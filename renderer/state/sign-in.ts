import { onScopeDispose, ref } from 'vue'
import { api } from '../api.ts'
import { useNotices } from './notices.ts'

/** Cancelled with the scope. */
export function useSignIn(server: () => string, changed: () => void) {
  const notices = useNotices()
  const page = ref<string>()
  let leaving: AbortController | undefined
  const cancel = (): void => leaving?.abort()
  onScopeDispose(cancel)

  const signIn = async (): Promise<void> => {
    const left = new AbortController()
    leaving = left
    page.value = ''
    const { signal } = left
    const name = server()
    try {
      for await (const event of await api.servers.signIn({ server: name }, { signal })) {
        if (event.kind === 'page') {
          page.value = event.url
          // If the browser blocks it, the link remains.
          window.open(event.url, '_blank', 'noopener')
        } else {
          notices.done(`You are signed in to ${name}`)
          changed()
        }
      }
    } catch (error) {
      if (!signal.aborted) notices.failed(`You are not signed in to ${name}`, error)
    } finally {
      page.value = undefined
    }
  }
  const signOut = async (): Promise<void> => {
    const name = server()
    await notices.attempt(`The sign-in to ${name} is still kept`, async () => {
      await api.servers.signOut({ server: name })
      notices.done(`The sign-in to ${name} is forgotten`)
    })
    changed()
  }
  return { page, signIn, signOut, cancel }
}
