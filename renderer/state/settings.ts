import { ref } from 'vue'
import type { SettingsEffect, SettingsFault } from '../../shared/api/settings.ts'
import { api } from '../api.ts'
import { errorText } from '../format/error-text.ts'
import { onLive } from './live.ts'
import { useNotices } from './notices.ts'
import { useQuery } from './query.ts'

type Edits = Parameters<typeof api.settings.update>[0]['edits']

const describeEffect = (effect: SettingsEffect): string => {
  const parts = [
    ...effect.added.map((id) => `${id} is new`),
    ...effect.removed.map((id) => `${id} is gone`),
    ...effect.restarted.map((id) => `${id} restarts`),
  ]
  return parts.length > 0 ? `Saved: ${parts.join(', ')}` : 'Saved'
}

export function useSettings() {
  const notices = useNotices()
  const current = useQuery(() => api.settings.get())
  const schema = useQuery(() => api.settings.schema())
  const raw = useQuery(() => api.settings.raw())
  const storage = useQuery(() => api.settings.storage())
  const reload = async (): Promise<void> => {
    await Promise.all([current.reload(), raw.reload()])
  }
  onLive('settings', () => void reload())
  const faults = ref<readonly SettingsFault[]>([])
  return {
    current,
    schema,
    raw,
    storage,
    faults,
    reload,
    update: async (edits: Edits): Promise<string> => {
      try {
        notices.done(describeEffect(await api.settings.update({ edits })))
      } catch (error) {
        return errorText(error)
      }
      await reload()
      return ''
    },
    validate: (text: string) => api.settings.validate({ text }),
    check: async (text: string): Promise<void> => {
      try {
        const { problems, notices: remarks } = await api.settings.validate({ text })
        faults.value = [...problems, ...remarks]
      } catch {
        // Saving reports errors; the frame reports an absent engine.
      }
    },
    save: async (text: string, version: string): Promise<boolean> => {
      const isSaved = await notices.attempt('config.json was not saved', async () =>
        notices.done(describeEffect(await api.settings.save({ text, version }))),
      )
      await reload()
      return isSaved
    },
    exportText: () => api.settings.export(),
    importText: async (text: string): Promise<void> => {
      await notices.attempt('Nothing was imported', async () =>
        notices.done(describeEffect(await api.settings.import({ text }))),
      )
      await reload()
    },
  }
}
