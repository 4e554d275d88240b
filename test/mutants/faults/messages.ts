import type { PlantedFault } from '../planted-fault.ts'

export const messagesFaults: readonly PlantedFault[] = []
