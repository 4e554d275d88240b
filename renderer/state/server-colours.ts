import { shallowRef } from 'vue'
import { colourOf } from '../format/series-colours.ts'

/** Every server in the order of config.json, where new ones come last: so each keeps its colour, on every screen. */
const names = shallowRef<readonly string[]>([])

/** Called by the frame, which reads them first and hears of changes. */
export const setServerNames = (ids: readonly string[]): void => {
  names.value = ids
}

/** A CSS colour. */
export const colourOfServer = (server: string): string => colourOf(server, names.value)
