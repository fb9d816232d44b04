import test from 'ava'
import { failureTexts, wordsOf } from '../../../../apps/http/rows/crud-texts.ts'
import { line } from '../../../../core/kernel/input/scalars.ts'

const usual = {
  list: { summary: 'Lista {os} {many}, {do} mais nov{o} {ao} mais antig{o}' },
  create: { summary: 'Cria {um} {one}', message: '{One} criad{o} com sucesso.', status: 201 },
  show: { summary: 'Mostra {um} {one}' },
  update: { summary: 'Altera {um} {one}' },
  remove: { summary: 'Remove {um} {one}' },
}

test('texts agree with the noun; the resource replaces single ones', (t) => {
  const supplier = wordsOf({ one: 'fornecedor', many: 'fornecedores', gender: 'm' }, usual)
  t.is(supplier.list.summary, 'Lista os fornecedores, do mais novo ao mais antigo')
  const { list, create, show } = wordsOf({ one: 'comissão', many: 'comissões', gender: 'f' }, usual, {
    create: { summary: 'Cria uma comissão do contrato', status: 200 },
    show: { message: 'Detalhes {do} {one}' },
  })
  t.deepEqual(list, { summary: 'Lista as comissões, da mais nova à mais antiga' })
  t.deepEqual(create, {
    summary: 'Cria uma comissão do contrato',
    message: 'Comissão criada com sucesso.',
    status: 200,
  })
  t.deepEqual(show, { summary: 'Mostra uma comissão', message: 'Detalhes da comissão' })
})

test('messages of failures name the unique field by the start of its description', (t) => {
  const input = {
    city: line({ max: 9, about: 'Cidade (única)' }),
    taxId: line({ max: 9, about: 'CPF ou CNPJ; único' }),
    name: line({ max: 9, about: 'Nome da loja' }),
    plain: line({ max: 9 }),
  }
  const { unknown, taken } = failureTexts(
    { one: 'loja', many: 'lojas', gender: 'f' },
    { one: 'shop', input, unique: ['city', 'taxId', 'name', 'plain'] },
  )
  t.deepEqual(unknown, { 'shop.unknown': 'Loja não encontrada.' })
  t.deepEqual(taken, {
    'shop.city.taken': 'Já existe uma loja com esta cidade.',
    'shop.taxId.taken': 'Já existe uma loja com este CPF/CNPJ.',
    'shop.name.taken': 'Já existe uma loja com este nome da loja.',
    'shop.plain.taken': 'Já existe uma loja com este valor.',
  })
})
