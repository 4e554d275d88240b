import { shallowRef } from 'vue'
import { colourOf } from '../format/series-colours.ts'

/** In config.json's order with new ones last, so that colours are stable. */
const names = shallowRef<readonly string[]>([])

/** By the frame. */
export const setServerNames = (ids: readonly string[]): void => {
  names.value = ids
}

export const colourOfServer = (server: string): string => colourOf(server, names.value)
