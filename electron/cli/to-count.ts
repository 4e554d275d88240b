import { InvalidArgumentError } from 'commander'

/** Of an option that counts from 1. */
export function toCount(value: string): number {
  const count = Number(value)
  if (Number.isInteger(count) && count > 0) return count
  throw new InvalidArgumentError('Write a whole number from 1 on.')
}
