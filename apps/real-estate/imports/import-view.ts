import { invalid } from '../../../core/failure.ts'
import { optional } from '../../../core/kernel/input/field.ts'
import { integer } from '../../../core/kernel/input/scalars.ts'
import { guid } from '../../../core/kernel/input/texts.ts'
import { output, view } from '../../../core/kernel/input/view.ts'
import type { Imported, ImportedLine } from '../../../core/real-estate/imports/import-lines.ts'
import { problemsOf } from '../dialects.ts'
import { messages } from '../messages/catalogue.ts'

type Problem = ReturnType<typeof problemsOf>[number]

/** What is wrong with a field, as a problem of RFC 9457 tells it. */
const problem = view(
  'ImportProblem',
  {
    field: output.text({ about: 'A coluna; `#3` é a terceira, quando não tem nome' }),
    message: output.text({ about: 'O que está errado, para pessoas' }),
    code: output.text({ about: 'O que está errado, para programas' }),
  },
  (of: Problem) => of,
)

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

/** What came of a file, line by line. */
export const importView = view(
  'Import',
  {
    created: output.count({ about: 'Registros cadastrados' }),
    failed: output.count({ about: 'Linhas de que nada foi cadastrado' }),
    lines: output.views(importedLine, { about: 'As linhas do arquivo, menos o cabeçalho e as que estão em branco' }),
  },
  (of: Imported) => of,
)
