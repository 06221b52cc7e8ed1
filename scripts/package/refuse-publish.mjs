/** `npm publish` would send the checkout instead of the package that `npm pack` writes. */
console.error('publish the tarball: npm pack && npm publish ./hindsight-apm-hindsight-<version>.tgz');
process.exitCode = 1;
