import assert from 'node:assert/strict';
import { findTopFrames } from '../../../../src/diagnostics/error-groups/stack-frames.js';

const TRACES: Readonly<Record<string, { readonly trace: string; readonly frames: readonly string[] }>> = {
  'Node.js': {
    trace: `Error: declined
    at new Card (/app/node_modules/cards/index.js:3:9)
    at charge (file:///app/src/pay.js:10:5)
    at async Checkout.run [as work] (/app/src/checkout.js:42:3)
    at Array.map (<anonymous>)
    at /app/src/server.js:7:1
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`,
    frames: ['charge (pay.js)', 'Checkout.run (checkout.js)', '<anonymous> (server.js)'],
  },
  Python: {
    trace: `Traceback (most recent call last):
  File "/app/db.py", line 3, in query
    raise KeyError("x")
KeyError: 'x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/usr/lib/python3.12/site-packages/flask/app.py", line 1463, in wsgi_app
    response = self.full_dispatch_request()
  File "/app/checkout.py", line 9, in run
    pay()
  File "/app/pay.py", line 42, in charge
    raise CardDeclined()
    ^^^^^^^^^^^^^^^^^^^^
  File "/usr/lib/python3.12/json/decoder.py", line 3, in decode
app.CardDeclined: declined`,
    frames: ['charge (pay.py)', 'run (checkout.py)'],
  },
  Java: {
    trace: `com.shop.CardDeclined: declined
	at java.base/java.util.Optional.orElseThrow(Optional.java:403)
	at app//com.shop.Pay.lambda$charge$3(Pay.java:42)
	at com.shop.Checkout$$Lambda$14/0x0000000800c03000.apply(Unknown Source)
	at com.shop.Checkout.run(Checkout.java:7) ~[shop.jar:1.2]
	at org.springframework.web.servlet.FrameworkServlet.service(FrameworkServlet.java:897)
Caused by: java.io.IOException: broken
	at com.shop.Socket.read(Socket.java:1)`,
    frames: [
      'com.shop.Pay.lambda$charge$* (Pay.java)',
      'com.shop.Checkout$$Lambda (Unknown Source)',
      'com.shop.Checkout.run (Checkout.java)',
    ],
  },
  Go: {
    trace: `goroutine 18 [running]:
runtime/debug.Stack()
	/usr/local/go/src/runtime/debug/stack.go:24 +0x5e
panic({0x5b2e60?, 0x6a1e40?})
	/usr/local/go/src/runtime/panic.go:770 +0x132
main.(*Server).charge(0xc000010000, {0x1, 0x2})
	/app/pay.go:42 +0x1d
github.com/gorilla/mux.(*Router).ServeHTTP(0xc00)
	/go/pkg/mod/github.com/gorilla/mux@v1.8.0/mux.go:210 +0x1cf
main.main.func1()
	/app/main.go:9 +0x25
created by main.main in goroutine 1
	/app/main.go:5 +0x11`,
    frames: ['main.(*Server).charge (pay.go)', 'main.main.func* (main.go)'],
  },
  '.NET': {
    trace: `Shop.CardDeclined: declined
   at System.Threading.Tasks.Task.ThrowIfExceptional(Boolean include)
   at Shop.Pay.<ChargeAsync>d__5.MoveNext() in /src/Pay.cs:line 42
--- End of stack trace from previous location ---
   at Shop.Checkout.Run(Order order, Card[] cards)
   at Microsoft.AspNetCore.Routing.EndpointMiddleware.Invoke(HttpContext context)`,
    frames: ['Shop.Pay.<ChargeAsync>d__*.MoveNext (Pay.cs)', 'Shop.Checkout.Run'],
  },
  Ruby: {
    trace: `/app/pay.rb:42:in 'Pay#charge': declined (CardDeclined)
	from /usr/lib/ruby/gems/3.3.0/gems/rack-3.0/lib/rack.rb:3:in 'call'
	from /app/checkout.rb:7:in \`block in run'
	from <internal:kernel>:187:in 'loop'`,
    frames: ['Pay#charge (pay.rb)', 'block in run (checkout.rb)'],
  },
  PHP: {
    trace: `Shop\\CardDeclined: declined in /app/src/Pay.php:42
Stack trace:
#0 /app/src/Checkout.php(7): Shop\\Pay->charge(Object(Order))
#1 [internal function]: Shop\\Checkout->run()
#2 /app/vendor/laravel/framework/Pipeline.php(3): call_user_func(Object(Closure))
#3 /app/public/index.php(12): Shop\\{closure:/app/public/index.php:9}()
#4 {main}`,
    frames: ['Shop\\Pay->charge (Checkout.php)', 'Shop\\{closure} (index.php)'],
  },
};

describe('top frames of an application', () => {
  for (const [language, { trace, frames }] of Object.entries(TRACES))
    it(`are found in a stack trace of ${language}`, () => assert.deepEqual(findTopFrames(trace), frames));

  for (const [language, { trace, frames }] of Object.entries(TRACES))
    it(`do not depend on lines and line ends of ${language}`, () => {
      const moved = trace.replace(/(?<=[:(]|line )\d+(?=[:,)\s]|$)/gm, '777').replaceAll('\n', '\r\n');
      assert.notEqual(moved, trace);
      assert.deepEqual(findTopFrames(moved), frames);
    });

  it('are none without a stack trace of the application', () => {
    assert.deepEqual(findTopFrames(''), []);
    assert.deepEqual(findTopFrames('at pay'), []);
    assert.deepEqual(findTopFrames('Error: x\n    at node:internal/main:1:2'), []);
  });

  it('name a recursive function once', () => {
    const deep = `Error: x\n${'    at walk (/app/tree.js:1:2)\n'.repeat(200)}    at main (/app/main.js:1:1)`;
    assert.deepEqual(findTopFrames(deep), ['walk (tree.js)', 'main (main.js)']);
  });

  it('are found in hostile texts without long searches', () => {
    for (const part of ['at ', 'at a(', '/0x1', 'File "', ':1:1', '#1 ', '$$', ' in ', 'a.b', '|0_'])
      findTopFrames(`${part.repeat(100_000)}\n`.repeat(3) + `${part.repeat(300)}\n`.repeat(400));
    findTopFrames(`at a/0x${'a'.repeat(900)}\n`.repeat(400));
  });
});
