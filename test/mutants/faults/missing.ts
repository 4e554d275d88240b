import type { PlantedFault } from '../planted-fault.ts'

export const missingFaults: readonly PlantedFault[] = []
