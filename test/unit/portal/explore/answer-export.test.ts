import assert from 'node:assert/strict';
import { toAnswerTable, writeCsv } from '../../../../portal/src/pages/explore/answer-export.js';

describe('exported answers', () => {
  it('are CSV with quotes where they are needed', () => {
    const table = toAnswerTable({
      columns: [{ name: 'service' }, { name: 'count' }, { name: 'links' }],
      rows: [
        ['a,"b"\nc', -1.5, [{ x: 1 }]],
        [null, 2, []],
      ],
    });
    assert.equal(writeCsv(table), 'service,count,links\r\n"a,""b""\nc",-1.5,"[{""x"":1}]"\r\n,2,[]\r\n');
  });

  it('never begin a text as a formula', () => {
    const texts = ['=1+1', '+cmd', '-x', '@sum', '\tx', 'plain'];
    const lines = writeCsv({ columns: ['a'], rows: texts.map((text) => [text]) }).split('\r\n');
    assert.deepEqual(lines.slice(1, 7), ["'=1+1", "'+cmd", "'-x", "'@sum", "'\tx", 'plain']);
  });

  it('have a row for each point of a series', () => {
    assert.deepEqual(
      toAnswerTable({
        columns: [{ name: 'service' }, { name: 'count' }],
        series: [
          {
            group: ['a'],
            points: [
              ['t1', 1],
              ['t2', 2],
            ],
          },
          { group: ['b'], points: [['t1', null]] },
        ],
      }),
      {
        columns: ['service', 'time', 'count'],
        rows: [
          ['a', 't1', 1],
          ['a', 't2', 2],
          ['b', 't1', null],
        ],
      },
    );
  });
});
