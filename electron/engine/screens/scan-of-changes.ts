import { createOtherDetectors } from '../guardrails/other-detectors.ts'
import { createChangeScan, type ScanChange } from '../guardrails/scan-change.ts'
import { createMaskHere, remoteMasking } from '../masking/remote-masking.ts'
import type { ScreensOptions } from './screens-options.ts'

/** By the detectors that the settings name; those elsewhere get masked texts. */
export const scanOfChanges = ({
  settings,
  env,
  secrets,
}: Pick<ScreensOptions, 'settings' | 'env' | 'secrets'>): ScanChange =>
  createChangeScan(
    () => createOtherDetectors(settings.current.guardDetectors, { env, secrets, fetch }),
    createMaskHere(() => remoteMasking(settings.current)),
  )
