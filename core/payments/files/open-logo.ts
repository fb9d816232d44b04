import { readUseCase } from '../../kernel/running/read-use-case.ts'
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

/** A logo that an account has, by the id of its file: anybody may see it. Fails: `logo.unknown`, for any other file too. */
export const openLogo =
  ({ store, files }: Pick<PaymentsPorts, 'store' | 'files'>) =>
  (id: string) =>
    readUseCase('logo.unknown', async (): Promise<OpenedImage | null> => {
      const file = await store.find(byId(storedFiles, id))
      if (file?.kind !== 'logo' || file.dueAt !== null) return null
      const chunks = await files.open(id)
      return chunks && { contentType: file.contentType, sizeBytes: file.sizeBytes, chunks }
    })
