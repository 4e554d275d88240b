/** `regular`: dock icon and own menu bar. `accessory`: neither, as for what lives in the menu bar. */
export const activationPolicy = (visible: readonly boolean[]): 'regular' | 'accessory' =>
  visible.includes(true) ? 'regular' : 'accessory'
