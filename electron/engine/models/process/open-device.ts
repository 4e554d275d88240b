import { getLlama, LlamaLogLevel, NoBinaryFoundError, type Llama } from 'node-llama-cpp'
import { messageOf } from '../../ground/errors.ts'
import type { DeviceKind } from '../process-messages.ts'

export interface OpenedDevice {
  readonly llama: Llama
  readonly device: DeviceKind
  readonly deviceName: string | undefined
  readonly refused: { device: DeviceKind; reason: string }[]
}

const WHY_NOT: Readonly<Record<DeviceKind, string>> = {
  cuda: 'No NVIDIA card with a driver that works was found.',
  vulkan: 'No graphics card with a Vulkan driver that works was found.',
  metal: 'Metal is not available.',
  cpu: 'The processor is not supported by the bundled llama.cpp.',
}

/** The first working one. Prebuilt binaries only: no compiling or downloading. */
export async function openDevice(devices: readonly DeviceKind[]): Promise<OpenedDevice> {
  const refused: OpenedDevice['refused'] = []
  for (const device of devices) {
    try {
      const llama = await getLlama({
        gpu: device === 'cpu' ? false : device,
        build: 'never',
        skipDownload: true,
        progressLogs: false,
        logLevel: LlamaLogLevel.error,
        // The library's thread split between contexts would ignore the measured count.
        maxThreads: 0,
      })
      const deviceName = device === 'cpu' ? undefined : await nameOf(llama)
      if (device !== 'cpu' && deviceName === undefined) {
        await llama.dispose()
        refused.push({ device, reason: WHY_NOT[device] })
        continue
      }
      return { llama, device, deviceName, refused }
    } catch (error) {
      const reason = error instanceof NoBinaryFoundError ? WHY_NOT[device] : messageOf(error)
      refused.push({ device, reason })
    }
  }
  throw new Error(refused.map(({ device, reason }) => `${device}: ${reason}`).join(' '))
}

async function nameOf(llama: Llama): Promise<string | undefined> {
  return (await llama.getGpuDeviceNames())[0]
}
