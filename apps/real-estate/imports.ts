import { invalid } from '../../core/failure.ts'
import { type DecodedOf, guid, integer, optional, output, view } from '../../core/kernel/input/mod.ts'
import type { ImportedLine } from '../../core/real-estate/imports/import-lines.ts'
import { importOptions } from '../../core/real-estate/imports/read-file.ts'
import { csvBody } from '../http/bodies/csv.ts'
import { json } from '../http/replies/json-reply.ts'
import type { AnyRow, Input } from '../http/rows/row.ts'
import { type MemberCall, route } from './api.ts'
import { problemsOf } from './dialects.ts'
import { exampleId } from './examples.ts'
import { messages } from './messages.ts'

/** The error of a column, in the format of a problem document. */
const problem = view('ImportProblem', {
  field: output.text({ about: 'A coluna; `#3` é a terceira, quando não tem nome' }),
  message: output.text({ about: 'O que está errado, para pessoas' }),
  code: output.text({ about: 'O que está errado, para programas' }),
})

const importedLine = view(
  'ImportedLine',
  {
    line: integer({ min: 1, about: 'A linha do arquivo em que o registro começa; a do cabeçalho é 1' }),
    id: optional(guid({ about: 'Identificador do que foi cadastrado' })),
    errors: optional(output.views(problem, { about: 'O que está errado, campo a campo' })),
  },
  ({ line, id, issues }: ImportedLine) => ({
    line,
    ...(id !== null && { id }),
    ...(issues.length > 0 && { errors: problemsOf(messages.textOf(invalid(issues)).errors ?? {}) }),
  }),
)

const importView = view('Import', {
  created: output.count({ about: 'Registros cadastrados' }),
  failed: output.count({ about: 'Linhas de que nada foi cadastrado' }),
  lines: output.views(importedLine, { about: 'As linhas do arquivo, menos o cabeçalho e as que estão em branco' }),
})

const COLUMNS =
  'UTF-8 ou Windows-1252, com `,`, `;` ou tabulação entre as células e aspas como na RFC 4180. O cabeçalho traz os nomes dos campos da ' +
  'API (`address.city`). Uma célula vazia é um campo ausente; números são como `2500.00`, `2500,00` ou `2.500,00`; listas têm ' +
  '`|` entre os itens; `ownerId` é o identificador, o CPF ou o CNPJ de um cliente.'

/** The common part of the import rows. */
const common = {
  dialect: 'estate',
  auth: 'member',
  methods: ['POST'],
  body: { kinds: ['csv'] },
  input: { query: importOptions, body: csvBody(COLUMNS) },
  // `resume` reads the repeated file, so the stage `input` precedes `key`.
  stages: ['context', 'permission', 'input', 'key', 'accountWritable', 'record', 'precondition'],
  reply: json({ view: importView }),
  errors: {
    'import.malformed': {},
    'import.too-long': {},
    'import.atomic.too-long': {},
    'import.atomic.too-wide': {},
  },
} as const

type Imports = 'properties' | 'clients'
type ImportInput = Input<DecodedOf<typeof importOptions>, string>

/** Returns the row that imports the records of a module. The example is a file with a valid and an invalid line. */
const importRow = (
  module: Imports,
  {
    area,
    noun,
    given,
    lines,
    wrong,
  }: { readonly [part in 'area' | 'noun' | 'given' | 'wrong']: string } & {
    readonly lines: readonly string[]
  },
) => {
  const run = ({ core, actor }: MemberCall, { query, body: csv }: ImportInput) =>
    core[module].import(actor, { csv, ...query })
  return route({
    ...common,
    name: `${module}.import`,
    area,
    summary: `Cadastra os ${noun} de um CSV de no máximo 10.000 linhas`,
    paths: [`/api/${module}/import`],
    permission: `${module}:write`,
    run,
    resume: (call, _, input) => run(call, input),
    example: {
      given,
      request: { query: { atomic: 'false' }, body: lines.join('\n') },
      reply: {
        created: 1,
        failed: 1,
        lines: [
          { line: 2, id: exampleId(60) },
          { line: 3, errors: [{ field: wrong, message: 'O campo é obrigatório.', code: 'required' }] },
        ],
      },
    },
  })
}

/** CSV import of properties and clients. */
export const importRows: readonly AnyRow[] = [
  importRow('properties', {
    area: 'Imóveis',
    noun: 'imóveis',
    given: 'listable',
    lines: [
      'code;type;purpose;rentPrice;ownerId;address.street;address.number;address.city;address.state;address.zipCode',
      `CA-7;House;Lease;2500,50;${exampleId(10)};Rua das Flores;100;São Paulo;SP;01310-100`,
      `CA-8;House;Lease;2500,50;${exampleId(10)};Rua das Flores;;São Paulo;SP;01310-100`,
    ],
    wrong: 'address.number',
  }),
  importRow('clients', {
    area: 'Clientes',
    noun: 'clientes',
    given: 'admin',
    lines: [
      'name,email,type,interest,preferences.maxPrice',
      'Maria da Silva,maria@example.com,Individual,Lease,3000.5',
      ',joana@example.com,Individual,Lease,',
    ],
    wrong: 'name',
  }),
]
