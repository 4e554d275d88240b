import type { PlantedFault } from '../planted-fault.ts'

export const approvalsFaults: readonly PlantedFault[] = []
