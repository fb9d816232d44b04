import { createHash } from 'node:crypto'

/** Lower-case hex that stands for an id wherever the id's own characters might do harm. */
export const fingerprint = (id: string): string => createHash('sha256').update(id, 'utf8').digest('hex')
