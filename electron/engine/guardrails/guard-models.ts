import { type GuardModel, readGuardModel } from './guard-model.ts'
import { type OrderModel, readOrderModel } from './orders/order-model.ts'

export interface GuardModels {
  readonly orders: OrderModel
  readonly classifier: GuardModel
}

/** Read once. Throws BAD_INPUT if a file is missing or of another version. */
export const readGuardModels = (): GuardModels => ({
  orders: readOrderModel(),
  classifier: readGuardModel(),
})
