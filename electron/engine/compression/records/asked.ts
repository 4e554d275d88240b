import type { Goal } from '../rank/goal.ts'

/** What a goal asks of columns. */
export interface Asked {
  /** Which end comes first: 1 largest or latest, -1 smallest or earliest, 0 none. */
  readonly direction: -1 | 0 | 1
  /** The other end may be meant ("best", "fastest"). */
  readonly isUnsure: boolean
  readonly ofTime: boolean
  /** The first or last of a list may be meant. */
  readonly ofPlace: boolean
}

export function askedOf({ order }: Goal): Asked {
  return {
    direction: order === undefined ? 0 : order.end === 'max' ? 1 : -1,
    isUnsure: order?.isCertain === false,
    ofTime: order !== undefined && order.of !== 'number',
    ofPlace: order?.of === 'place',
  }
}
