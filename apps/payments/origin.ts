import { cleanText } from '../../core/kernel/input/texts.ts'
import type { Origin } from '../../core/office/audit.ts'
import type { HttpRequest } from '../http/request.ts'

const MAX_DEVICE = 255

/** Where a request comes from, and whether its caller still waits: the device names itself, or is what its program says it is. */
export const originOf = (request: HttpRequest, device: string | null = null): Origin => ({
  address: request.address,
  signal: request.signal,
  device: device ?? (cleanText((request.header('user-agent') ?? '').slice(0, MAX_DEVICE)) || null),
})
