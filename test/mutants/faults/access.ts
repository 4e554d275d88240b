import type { PlantedFault } from '../planted-fault.ts'

export const accessFaults: readonly PlantedFault[] = []
