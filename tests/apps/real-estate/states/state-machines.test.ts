import test from 'ava'
import { openEstateApi, worked } from '../test-api.ts'
import {
  commissionMachine,
  contractMachine,
  type Machine,
  paymentMachine,
  propertyMachine,
  proposalMachine,
  visitMachine,
} from './machines.ts'

const opened = async (t: Parameters<typeof openEstateApi>[0]) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const ask = (method: string, path: string, body?: Readonly<Record<string, unknown>>) =>
    api.ask(method, path, { token: admin.token, ...(body && { body }) })
  return { api, admin, ask }
}

/** The moves of a table, in an order of their own. */
const movesIn = <S extends string>(states: readonly S[], next: (from: S) => readonly S[]): readonly string[] =>
  states.flatMap((from) => next(from).map((to) => `${from} to ${to}`)).sort()

/** That a product's table is the specification's, and that its API does what the table says. */
const isHeld = <S extends string>({ specified, moves, ...machine }: Machine<S>): void => {
  const { name, refusal, closed, make, move, indirect = [] } = machine

  test(`the moves of a ${name} are those of the specification`, (t) => {
    const states = Object.keys(specified) as S[]
    t.deepEqual([...moves.states].sort(), [...states].sort())
    t.deepEqual(
      movesIn(moves.states, moves.next),
      movesIn(states, (from) => specified[from]),
    )
  })

  test(`a ${name} makes each move of its table; on every other one nothing is written`, async (t) => {
    const { api, admin, ask } = await opened(t)
    for (const from of moves.states)
      for (const to of moves.states) {
        const about = `${from} to ${to}`
        const made = await make(api, admin, from, to)
        const before = await api.everything()
        const answer = await move(ask, made, to)
        if (indirect.includes(to)) t.true([200, 422].includes(answer.status), `${about}: ${answer.text}`)
        else if (moves.can(from, to)) t.like(answer, { status: 200, body: { status: to } }, about)
        else {
          t.like(answer, { status: 422, body: { code: refusal } }, about)
          t.deepEqual(await api.everything(), before, about)
        }
        const { status } = worked(await ask('GET', made.path))
        t.is(status, moves.can(from, to) ? to : from, about)
      }
  })

  if (closed === null) return
  test(`a ${name} is replaced until its state is final, and stays in it`, async (t) => {
    const { api, admin, ask } = await opened(t)
    for (const from of moves.states) {
      const { path, told } = await make(api, admin, from, from)
      const before = await api.everything()
      const answer = await ask('PUT', path, told)
      if (!moves.isFinal(from)) t.like(answer, { status: 200, body: { status: from } }, `${from}: ${answer.text}`)
      else {
        t.like(answer, { status: 422, body: { code: closed } }, from)
        t.deepEqual(await api.everything(), before, from)
      }
    }
  })
}

isHeld(proposalMachine)
isHeld(contractMachine)
isHeld(paymentMachine)
isHeld(commissionMachine)
isHeld(visitMachine)
isHeld(propertyMachine)
