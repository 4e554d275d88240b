import { shallowRef } from 'vue'
import { colourOf } from '../format/series-colours.ts'

/** Servers in config.json's order with new ones last, so that colours are stable. */
const names = shallowRef<readonly string[]>([])

/** Called by the frame, which reads them first and hears of changes. */
export const setServerNames = (ids: readonly string[]): void => {
  names.value = ids
}

/** A CSS colour. */
export const colourOfServer = (server: string): string => colourOf(server, names.value)
