import type { PlantedFault } from '../planted-fault.ts'

export const compressionFaults: readonly PlantedFault[] = []
