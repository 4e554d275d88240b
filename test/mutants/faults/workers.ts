import type { PlantedFault } from '../planted-fault.ts'

export const workersFaults: readonly PlantedFault[] = []
