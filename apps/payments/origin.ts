import { cleanText } from '../../core/kernel/input/fields/text-shape.ts'
import type { Origin } from '../../core/office/audit/audited.ts'
import type { HttpRequest } from '../http/request/http-request.ts'

const MAX_DEVICE = 255

/** Where a request comes from: the device names itself, or is what its program says it is. */
export const originOf = (request: Pick<HttpRequest, 'address' | 'header'>, device: string | null = null): Origin => ({
  address: request.address,
  device: device ?? (cleanText((request.header('user-agent') ?? '').slice(0, MAX_DEVICE)) || null),
})
