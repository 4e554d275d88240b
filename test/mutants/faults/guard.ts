import type { PlantedFault } from '../planted-fault.ts'

export const guardFaults: readonly PlantedFault[] = []
