#!/bin/bash
# Deploy to an environment.
ENVIRONMENT=$1
if [[ ! "$ENVIRONMENT" =~ ^(dev|staging|prod)$ ]]; then echo "bad"; exit 1; fi
ssh host deploy "$ENVIRONMENT"
