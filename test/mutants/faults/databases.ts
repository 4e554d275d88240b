import type { PlantedFault } from '../planted-fault.ts'

export const databasesFaults: readonly PlantedFault[] = []
