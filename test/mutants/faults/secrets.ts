import type { PlantedFault } from '../planted-fault.ts'

export const secretsFaults: readonly PlantedFault[] = []
