import { nullIfAbsent } from '../../kernel/input/field.ts'
import { instant } from '../../kernel/input/scalars.ts'
import { guid } from '../../kernel/input/texts.ts'
import { view } from '../../kernel/input/view.ts'
import { type FileRecord, fileFields } from '../records/file.ts'

const { fileName, storagePath, url, contentType, sizeBytes } = fileFields
const id = guid({ about: 'Identificador' })
const createdAt = instant({ about: 'Criação' })

/** A file as lists show it. Source: 03-real-estate.md, File record. */
export const fileView = view(
  'File',
  {
    id,
    fileName,
    storagePath,
    url,
    contentType,
    sizeBytes,
    uploadedBy: nullIfAbsent(guid({ about: 'Identificador do usuário que enviou' })),
    createdAt,
  },
  (of: FileRecord) => of,
)

/** A file that was just registered. Source: 03-real-estate.md, POST /api/files. */
export const registeredFileView = view(
  'RegisteredFile',
  { id, fileName, url, contentType, sizeBytes, createdAt },
  (of: FileRecord) => of,
)
