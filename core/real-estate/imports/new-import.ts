import { right } from '../../fp.ts'
import { field, reject, withDefault } from '../../kernel/input/field.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { flag } from '../../kernel/input/scalars.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

/** A file as it is: what is wrong with its texts is told line by line. */
const csv = field<string, string, 'text'>(
  {
    name: 'csv',
    schema: { type: 'string' },
    is: isText,
    read: (value) => (isText(value) ? right(value) : reject('text')),
  },
  { about: 'O arquivo' },
)

const DRY_RUN = 'Se só se confere o arquivo: a resposta diz o que seria cadastrado, e nada é gravado'
const ATOMIC = 'Se todas as linhas são cadastradas ou nenhuma; então são no máximo 500'

/** What a program says of a file that it imports: the names of its columns and its values are those of the API. */
export const newImport = input('NewImport', {
  csv,
  atomic: withDefault(flag({ about: ATOMIC }), false),
  dryRun: withDefault(flag({ about: DRY_RUN }), false),
})
export type NewImport = InputOf<typeof newImport>

/** How a file is imported, beside what it holds. */
export const importOptions = input(null, {
  atomic: withDefault(inQuery.flag({ about: ATOMIC }), false),
  dryRun: withDefault(inQuery.flag({ about: DRY_RUN }), false),
})
