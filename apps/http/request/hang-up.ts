const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

/** Whether this is only somebody who did not wait for the answer. */
export const isHangUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && HANG_UPS.has(error.code)
