import { failure, left } from '../failure.ts'
import {
  guid,
  type InputOf,
  integer,
  line,
  nullIfAbsent,
  oneOf,
  type Paging,
  pick,
  text,
  url,
  view,
} from '../kernel/input/mod.ts'
import { acceptMade, plainUseCases, type ResourceFilter, scopeOf } from '../kernel/resources/plain-use-cases.ts'
import type { Facts } from '../kernel/resources/queries.ts'
import type { RecordOf } from '../kernel/resources/resource.ts'
import { accept, useCase, withValidInput } from '../kernel/running/use-case.ts'
import type { RealEstateModule } from './real-estate-module.ts'
import type { Actor, RealEstatePorts, Role } from './real-estate-ports.ts'
import { createdAt, id, resource } from './records/fields.ts'

export const FILE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'application/pdf',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const
/** 10 MB. */
const MAX_FILE_BYTES = 10_485_760

const fileFields = {
  fileName: line({ max: 255, about: 'Nome' }),
  storagePath: text({ max: 1_024, about: 'Caminho no armazenamento do provedor' }),
  url: url({ about: 'Endereço' }),
  contentType: oneOf(FILE_TYPES, { about: 'Tipo' }),
  sizeBytes: integer({ min: 1, max: MAX_FILE_BYTES, about: 'Tamanho em bytes' }),
}

/** The metadata of a file that its uploader has stored at the provider. */
export const file = resource({
  one: 'file',
  many: 'files',
  input: fileFields,
  internal: { uploadedBy: nullIfAbsent(guid({ about: 'Identificador do usuário que enviou' })) },
  search: ['fileName'],
  filters: { contentType: 'tally', uploadedBy: 'own' },
})

export type FileRecord = RecordOf<typeof file>

type FileUser = Pick<Actor, 'companyId' | 'userId' | 'role'>
export type NewFile = InputOf<typeof file.createInput>

/** Roles that see all files of the company; other roles see their own. */
const SEE_ALL: readonly Role[] = ['Admin', 'Broker', 'Financial']

const scope = scopeOf(file)
const scopeFor = ({ companyId, userId, role }: FileUser) =>
  SEE_ALL.includes(role) ? { companyId } : { companyId, own: userId }

/** The metadata of files in the provider's storage. */
export const files = {
  useCases: (ports: RealEstatePorts) => {
    const plain = plainUseCases(file)(ports)
    return {
      /**
       * Returns a page of the files that the actor may see, newest first. The search covers the names.
       * Fails: `fields`.
       */
      list: (actor: FileUser, page: Paging | null, filter: ResourceFilter = {}) =>
        plain.list(scopeFor(actor), page, filter),
      /**
       * Returns a file that the actor may see.
       * Fails: `file.unknown`.
       */
      read: (actor: FileUser, id: string) => plain.read(scopeFor(actor), id),
      /**
       * Registers a file that is already in the provider's storage.
       * Fails: `fields`.
       */
      create: ({ companyId, userId }: FileUser, submitted: NewFile) =>
        withValidInput(ports, file.createInput, submitted, (fields) =>
          useCase(
            ports,
            () => null,
            (_, fresh) => {
              const { record, changes } = file.build(companyId, fields, fresh, { uploadedBy: userId })
              return accept(record, ...changes)
            },
          ),
        ),
      /**
       * Removes the metadata of a file, not the file itself. Only the uploader and an Admin may.
       * Fails: `file.unknown`, `file.not-own`.
       */
      remove: (actor: FileUser, id: string) =>
        useCase<Facts<FileRecord>, null, 'file.unknown' | 'file.not-own'>(
          ports,
          (store) => scope.readFacts(store, scopeFor(actor), id, {}),
          (facts, fresh) => {
            const { record } = facts
            if (record && actor.role !== 'Admin' && record.uploadedBy !== actor.userId)
              return left(failure('forbidden', 'file.not-own'))
            return acceptMade(file.remove(facts, fresh), () => null)
          },
        ),
    }
  },
} satisfies RealEstateModule

export const fileView = view('File', {
  id,
  ...fileFields,
  uploadedBy: nullIfAbsent(guid({ about: 'Identificador do usuário que enviou' })),
  createdAt,
})

export const registeredFileView = view('RegisteredFile', {
  id,
  ...pick(fileFields, 'fileName', 'url', 'contentType', 'sizeBytes'),
  createdAt,
})
