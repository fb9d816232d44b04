import { failure } from '../failure.ts'
import { isLeft, left } from '../fp.ts'
import { nullIfAbsent } from '../kernel/input/field.ts'
import type { InputOf } from '../kernel/input/input.ts'
import type { Paging } from '../kernel/input/query.ts'
import { instant, integer, oneOf } from '../kernel/input/scalars.ts'
import { pick } from '../kernel/input/table.ts'
import { guid, line, text, url } from '../kernel/input/texts.ts'
import { view } from '../kernel/input/view.ts'
import { plainUseCases } from '../kernel/resources/plain-use-cases.ts'
import type { Facts } from '../kernel/resources/resource.ts'
import { type ResourceFilter, scopeOf } from '../kernel/resources/scope.ts'
import { accept, useCase, withValidInput } from '../kernel/running/use-case.ts'
import type { Actor, Role } from './actor.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { RealEstatePorts } from './real-estate-ports.ts'
import { resource } from './records/fields.ts'

export const FILE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'application/pdf',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const
/** 10 MB. */
export const MAX_FILE_BYTES = 10_485_760

export const fileFields = {
  fileName: line({ max: 255, about: 'Nome' }),
  storagePath: text({ max: 1_024, about: 'Caminho no armazenamento do provedor' }),
  url: url({ about: 'Endereço' }),
  contentType: oneOf(FILE_TYPES, { about: 'Tipo' }),
  sizeBytes: integer({ min: 1, max: MAX_FILE_BYTES, about: 'Tamanho em bytes' }),
}

/** What is known of a file that its uploader has put into the provider's storage. */
export const file = resource({
  one: 'file',
  many: 'files',
  input: fileFields,
  internal: { uploadedBy: nullIfAbsent(guid({ about: 'Identificador do usuário que enviou' })) },
  search: ['fileName'],
  filters: { contentType: 'tally', uploadedBy: 'own' },
})

export type FileRecord = NonNullable<Awaited<ReturnType<typeof file.find>>>

type In = Pick<Actor, 'companyId' | 'userId' | 'role'>
export type NewFile = InputOf<typeof file.createInput>

/** Who sees all files of the company; others see their own. */
const SEE_ALL: readonly Role[] = ['Admin', 'Broker', 'Financial']

const scope = scopeOf(file)
const scopeFor = ({ companyId, userId, role }: In) =>
  SEE_ALL.includes(role) ? { companyId } : { companyId, own: userId }

const NOT_THEIRS = failure('forbidden', 'file.not-own')

/** What is known of the files that people put into the provider's storage. */
export const files = {
  useCases: (ports: RealEstatePorts) => {
    const plain = plainUseCases(file)(ports)
    return {
      /**
       * A page of the files that they may see, the newest first. A search looks through the names.
       * Fails: `fields`.
       */
      list: (actor: In, page: Paging | null, filter: ResourceFilter = {}) => plain.list(scopeFor(actor), page, filter),
      /**
       * One of the files that they may see.
       * Fails: `file.unknown`.
       */
      read: (actor: In, id: string) => plain.read(scopeFor(actor), id),
      /**
       * Registers a file that lies in the provider's storage already.
       * Fails: `fields`.
       */
      create: ({ companyId, userId }: In, given: NewFile) =>
        withValidInput(ports, file.createInput, given, (sent) =>
          useCase(
            ports,
            () => null,
            (_nothing, fresh) => {
              const { record, changes } = file.build(companyId, sent, fresh, { uploadedBy: userId })
              return accept(record, ...changes)
            },
          ),
        ),
      /**
       * Forgets a file; the object itself stays where it is. Who uploaded it may, and an Admin.
       * Fails: `file.unknown`, `file.not-own` (somebody else's).
       */
      remove: (actor: In, id: string) =>
        useCase<Facts<FileRecord>, null, 'file.unknown' | 'file.not-own'>(
          ports,
          (store) => scope.readFacts(store, scopeFor(actor), id, {}),
          (facts, fresh) => {
            const { record } = facts
            if (record && actor.role !== 'Admin' && record.uploadedBy !== actor.userId) return left(NOT_THEIRS)
            const made = file.remove(facts, fresh)
            return isLeft(made) ? made : accept(null, ...made.right.changes)
          },
        ),
    }
  },
} satisfies RealEstateModule

const id = guid({ about: 'Identificador' })
const createdAt = instant({ about: 'Criação' })

/** A file as lists show it. */
export const fileView = view(
  'File',
  {
    id,
    ...fileFields,
    uploadedBy: nullIfAbsent(guid({ about: 'Identificador do usuário que enviou' })),
    createdAt,
  },
  (of: FileRecord) => of,
)

/** A file that was just registered. */
export const registeredFileView = view(
  'RegisteredFile',
  { id, ...pick(fileFields, 'fileName', 'url', 'contentType', 'sizeBytes'), createdAt },
  (of: FileRecord) => of,
)
