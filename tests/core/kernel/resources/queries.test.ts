import test from 'ava'
import { searchTexts } from '../../../../core/kernel/resources/queries.ts'

for (const [text, bare] of [
  ['765.432.109-07', '76543210907'],
  ['765.432', '765432'],
  ['432.109-0', '4321090'],
  ['765.432.109–07', '76543210907'],
  ['11.444.777/0001-61', '11444777000161'],
  ['/0001-', '0001'],
  ['(21) 98765-4321', '21987654321'],
  ['+55 21 98765', '552198765'],
  ['12.ABC', '12abc'],
  ['12.abc.345/01de-35', '12abc34501de35'],
  ['bc.345/01DE', 'bc34501de'],
  ['ABC.345/', 'abc345'],
  ['01DE-3', '01de3'],
  ['12 ABC 345 01DE 35', '12abc34501de35'],
] as const)
  test(`a search for ${text} also searches for ${bare}`, (t) => {
    t.deepEqual(searchTexts(text), [text.toLowerCase(), bare])
  })

for (const text of ['765432', 'ana', 'Ana B.', 'joao.silva1', 'a.b', 'rua 12, 3', '.-', '12.ABC.345/01DE-35-9', '10%'])
  test(`a search for ${text} searches for that text only`, (t) => {
    t.deepEqual(searchTexts(text), [text.toLowerCase()])
  })
