import type { ImageType } from '../../kernel/values/image.ts'
import type { Chunks } from '../../ports/files.ts'
import { byId } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { storedFiles } from './stored-file.ts'

export interface OpenedImage {
  readonly contentType: ImageType
  readonly sizeBytes: number
  readonly chunks: Chunks
}

/** A logo that an account has, by the id of its file; null for any other file. Anybody may see it. */
export const openLogo =
  ({ store, files }: Pick<PaymentsPorts, 'store' | 'files'>) =>
  async (id: string): Promise<OpenedImage | null> => {
    const file = await store.find(byId(storedFiles, id))
    if (file?.kind !== 'logo' || file.dueAt !== null) return null
    const chunks = await files.open(id)
    return chunks && { contentType: file.contentType, sizeBytes: file.sizeBytes, chunks }
  }
