import { nullIfAbsent } from '../../kernel/input/field.ts'
import { integer, oneOf } from '../../kernel/input/scalars.ts'
import { guid, line, text, url } from '../../kernel/input/texts.ts'
import { resource } from '../resource.ts'

/** Source: 03-real-estate.md, Limits. */
export const FILE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'application/pdf',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const
/** 10 MB. Source: decisions.md §10, Notifications and files. */
export const MAX_FILE_BYTES = 10_485_760

export const fileFields = {
  fileName: line({ max: 255, about: 'Nome' }),
  storagePath: text({ max: 1_024, about: 'Caminho no armazenamento do provedor' }),
  url: url({ about: 'Endereço' }),
  contentType: oneOf(FILE_TYPES, { about: 'Tipo' }),
  sizeBytes: integer({ min: 1, max: MAX_FILE_BYTES, about: 'Tamanho em bytes' }),
}

/** What is known of a file that its uploader has put into the provider's storage. Source: 03-real-estate.md, File record. */
export const file = resource({
  one: 'file',
  many: 'files',
  input: fileFields,
  internal: { uploadedBy: nullIfAbsent(guid({ about: 'Identificador do usuário que enviou' })) },
  search: ['fileName'],
  filters: { contentType: 'tally', uploadedBy: 'own' },
})

export const files = file.collection
export type FileRecord = NonNullable<Awaited<ReturnType<typeof file.find>>>
