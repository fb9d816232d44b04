import type { Failure } from '../../failure.ts'
import { type Either, isLeft } from '../../fp.ts'
import type { Input } from '../../kernel/input/input.ts'
import type { Decoded } from '../../kernel/input/table.ts'
import type { Rec } from '../../kernel/records/record.ts'
import type { Facts, RecordDecision, Resource, ResourceTypes } from '../../kernel/resources/resource.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { type NewImport, newImport } from './new-import.ts'
import { fileReader } from './read-file.ts'
import { allOrNone, type Imported, oneByOne, type Referable, type Run, tried } from './run-import.ts'

interface ImportKind extends ResourceTypes {
  readonly tenant: 'companyId'
  readonly id: string
  readonly record: Rec & { readonly id: string }
}

/** What a file is imported as. */
interface Importable<S extends ImportKind, A> {
  readonly resource: Resource<S>
  /** What makes one by a POST: its fields are the columns, and its rules those of each line. */
  readonly created: Input<Decoded<S['input']>>
  /** Columns that name a record by its CPF or CNPJ too, and the records that have one. */
  readonly references?: { readonly [column in keyof S['input'] & string]?: Referable }
  /** The same decision as that of a POST. */
  readonly create: (
    facts: Facts<S['record']>,
    actor: A,
    sent: Decoded<S['input']>,
    fresh: Fresh,
  ) => Either<Failure<string, string>, RecordDecision<S['record']>>
}

/**
 * Imports a CSV of records of a resource, whose columns and values are those of the API: each line as if it were posted alone,
 * or with `atomic` all of them or none. What is wrong with a line is told by the names of its columns. With `dryRun` nothing is
 * stored, and the lines that would be made have no id.
 * Fails: `fields` (`column.unknown`, `repeated`, `required`: of the columns), `import.malformed`, `import.too-long`,
 * `import.atomic.too-long`, `import.atomic.too-wide`.
 */
export const importOf = <S extends ImportKind, A extends Pick<Actor, 'companyId'>>({
  resource: { collection, spec, readFacts: read },
  created,
  references = {},
  create,
}: Importable<S, A>) => {
  const readFile = fileReader(created, Object.keys(references))
  return (ports: RealEstatePorts) => {
    // Two imports of one company would only be in each other's way.
    const line = serialByName()
    return (actor: A, given: NewImport) =>
      withValidInput(ports, newImport, given, (sent) =>
        useCaseOf<Imported>()((hooks) =>
          line(actor.companyId, async () => {
            const file = await readFile(ports.sheetReader, sent)
            if (isLeft(file)) return file
            const { companyId } = actor
            const run: Run<Decoded<S['input']>, S['record']> = {
              ports,
              companyId,
              file: file.right,
              collection,
              unique: spec.unique ?? [],
              read: (store, said) => read(store, companyId, null, said),
              create: (facts, said, fresh) => create(facts, actor, said, fresh),
              references,
              isDry: sent.dryRun,
              nameOf: file.right.nameOf,
            }
            if (sent.atomic) return allOrNone(run)(hooks)
            return sent.dryRun ? tried(run)(hooks) : oneByOne(run)(hooks)
          }),
        ),
      )
  }
}
