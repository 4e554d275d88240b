import type { PlantedFault } from '../planted-fault.ts'

export const sessionsFaults: readonly PlantedFault[] = []
